"""`memoir setup`: add memoir to the configuration of hosts, and remove it again."""
