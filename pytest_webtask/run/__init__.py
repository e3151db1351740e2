"""The run of tests: options, host, and the steps of each test."""
