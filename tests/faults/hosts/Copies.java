// SPDX-License-Identifier: MIT
// A Java program that has its work done by two others at once: java Copies.java PROGRAM ARGUMENT...
import java.util.List;

public class Copies {
	public static void main(String[] command) throws Exception {
		ProcessBuilder builder = new ProcessBuilder(List.of(command)).inheritIO();
		Process first = builder.start(), second = builder.start();

		System.exit(first.waitFor() + second.waitFor());
	}
}
