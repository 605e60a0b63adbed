// SPDX-License-Identifier: MIT

// Uses the CPU in two goroutines and calls C, so the program is linked with the C library. Ends by a
// system call, as all Go programs do.
package main

// static int seven(void) { return 7; }
import "C"

import (
	"fmt"
	"os"
	"time"
)

func spin(until time.Time, sums chan int) {
	sum := 0
	for time.Now().Before(until) {
		for i := 0; i < 10000; i++ {
			sum += i
		}
	}
	sums <- sum
}

func main() {
	sums := make(chan int)
	until := time.Now().Add(300 * time.Millisecond)
	go spin(until, sums)
	go spin(until, sums)
	<-sums
	<-sums
	fmt.Println(C.seven())
	os.Exit(3)
}
