// SPDX-License-Identifier: MIT

// Reads a file as the Prometheus exporter of a cluster does: exactly four lines, each a name, a
// colon and a whole number. Prints the numbers.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	names := []string{"pid", "kernel-cnt", "mem-used", "token-cnt"}
	file, err := os.Open(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	scanner := bufio.NewScanner(file)
	count := 0
	for ; scanner.Scan(); count++ {
		parts := strings.Split(scanner.Text(), ":")
		if count >= len(names) || len(parts) != 2 || parts[0] != names[count] {
			fmt.Println("metrics parsing failed:", scanner.Text())
			os.Exit(1)
		}
		number, err := strconv.ParseUint(strings.TrimSpace(parts[1]), 10, 64)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(parts[0], number)
	}
	if count != len(names) {
		fmt.Println("metrics parsing failed:", count, "lines")
		os.Exit(1)
	}
}
