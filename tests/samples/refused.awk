# refused.awk: which kernels of a PTX file (first file) have errors in a compiler's messages (second file), their own or those of
# functions that they use. Prints KERNEL<tab>MESSAGE (kernel `-`: outside every kernel); with -v rest=FILE writes the PTX with those
# kernels' and functions' lines empty, so that the others can be tried and line numbers stay. Expects nvcc's layout: a body ends with `}` in column 1.
function name_of(line) {
	sub(/.*\.(entry|func)[ \t]*/, "", line)
	if (line ~ /^\(/)
		sub(/^\([^)]*\)[ \t]*/, "", line)
	sub(/[^A-Za-z0-9_$].*/, "", line)
	return line
}
FNR == NR {
	text[++nlines] = $0
	if ($0 ~ /^(\.[a-z]+[ \t]+)*\.(entry|func)[ \t(]/) {
		cur = name_of($0)
		if (!(cur in kind))
			order[++nfuncs] = cur
		kind[cur] = $0 ~ /\.entry/ ? "entry" : "func"
		decl = 1
	}
	in_func[nlines] = cur
	if (cur != "") {
		n = split($0, word, /[^A-Za-z0-9_$]+/)
		for (k = 1; k <= n; k++)
			if (word[k] != "" && word[k] != cur)
				uses[cur, word[k]] = 1
	}
	if ($0 ~ /^}/ || (decl && $0 ~ /^[ \t)]*;/))
		cur = ""
	if ($0 ~ /^{/)
		decl = 0
	next
}
/error +:/ {
	line = $0
	if (!sub(/.*, line /, "", line) || line !~ /^[0-9]+/)
		where = "-"
	else
		where = in_func[line + 0]
	msg = $0
	sub(/.*error +: */, "", msg)
	if (where == "")
		where = "-"
	err[where, ++nerr[where]] = msg
}
END {
	changed = 1
	for (f in nerr)
		if (nerr[f])
			bad[f] = f
	while (changed) {
		changed = 0
		for (f in kind)
			for (g in bad)
				if (!(f in bad) && kind[g] == "func" && (f, g) in uses) {
					bad[f] = bad[g]
					changed = 1
				}
	}
	for (f in bad)
		if (f == "-" || kind[f] == "entry")
			for (k = 1; k <= nerr[bad[f]]; k++)
				print f "\t" err[bad[f], k]
	if (rest != "")
		for (k = 1; k <= nlines; k++)
			print (in_func[k] in bad ? "" : text[k]) > rest
}
