#!/usr/bin/env perl
# No loop goes over a member of what a call returns, as `for (x : f().at("a"))` and `for (x : f()["a"])` do: what f() returns
# may be gone before the first round (until C++23), and no compiler of Debian 12 says so. A variable keeps it.
# usage: loops.pl FILE...
use strict;
use warnings;

my $arguments = qr/(\((?:[^()"']++|"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])'|(?1))*+\))/;
my $found     = 0;
for my $file (@ARGV) {
    open my $in, '<', $file or die "$file: $!\n";
    my $text = do { local $/; <$in> };
    while ($text =~ /\bfor\s*$arguments/g) {
        my ($loop, $start) = ($1, $-[0]);
        my ($range) = $loop =~ /[^:]:\s+(.*)\)$/s or next;
        next unless $range =~ /^[\w:]+(?:<[\w:, ]+>)?$arguments(?:\.\w+)*(?:\.\w+\s*\(|->|\[)/;
        my $line = 1 + (substr($text, 0, $start) =~ tr/\n//);
        $range =~ s/\s+/ /g;
        print "$file:$line: keep what the call returns in a variable: $range\n";
        $found = 1;
    }
}
exit $found;
