"""Ways into other programs; each module needs the program that it is for."""
