mkdir -p $HOME; git config --global user.name Nob; git config --global user.email n@o
cd /tmp/faults/v/H; git init -q --bare -b main hub.git
memoir init s; cd s; memoir remember -p context.a first; memoir remote add origin ../hub.git; memoir sync; memoir clone ../hub.git ../two >/dev/null; (cd ../two; memoir remember -p context.b two; memoir sync)
chmod -R a-w .memoir
for c in "status" "sync" "fold" "fetch" "pull" "config memoir.writer x" "remote add z /x" "undo" "checkout -b q" "branch q" "gc" "fsck --repair" "recall first"; do memoir $c >../o 2>../e </dev/null; rc=$?; echo "[$c] rc $rc $(head -c 120 ../o | tr '\n' '|') ERR: $(head -c 300 ../e | tr '\n' '|')"; done
chmod -R u+w .memoir
echo "--- hub read-only"; memoir sync; memoir remember -p context.c c; chmod -R a-w ../hub.git;
for w in shared own auto; do memoir config memoir.remote.origin.writers $w;  memoir sync; echo rc $?; done
chmod -R u+w ../hub.git; memoir sync
echo "--- only objects/pack"; chmod a-w .memoir/objects/pack; memoir remember -p context.d d; echo rc $?;  chmod u+w .memoir/objects/pack
chmod a-w .memoir/refs/heads;  memoir remember -p context.d d; echo rc $?; chmod u+w .memoir/refs/heads
chmod a-w .memoir/refs/remotes/origin; (cd ../two; memoir remember -p context.e e; memoir sync); memoir sync; echo rc $?; chmod u+w .memoir/refs/remotes/origin;  memoir sync; memoir fsck
