#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build-aux/merge-schema: where fragments go, the version and the checksum,
# and what it refuses.

. "$(dirname "$0")/lib"

make_tree() {
    rm -rf tree
    mkdir -p tree/vswitchd tree/build-aux
    cat >tree/vswitchd/vswitch.ovsschema <<'END'
{"name": "Open_vSwitch",
 "version": "8.3.1",
 "cksum": "1 2",
 "tables": {
   "Bridge": {"columns": {"name": {"type": "string"}}}}}
END
    cat >tree/vswitchd/vswitch.xml <<'END'
<?xml version="1.0" encoding="utf-8"?>
<database name="ovs-vswitchd.conf.db" title="A &gt; B">
  <table name="Bridge" title="a > b">
    <column name="other_config" key="mode"
            type='{"type": "string", "enum": ["set", ["a", "b"]]}'>
      <p>Mode.<br/></p>
    </column>
    <group title="Status">
      <column name="name"/>
    </group>
  </table>
</database>
END
    # What Open vSwitch's own tool does, in other words.
    cat >tree/build-aux/calculate-schema-cksum <<'END'
grep -v '"cksum": *"' "$1" | cksum
END
}

merge() {
    "$top/build-aux/merge-schema" --tree tree "$@"
}

# try JSON [XML]: merges these texts into a new tree.
try() {
    make_tree
    echo "$1" >f.json
    echo "<fragments>${2-}</fragments>" >f.xml
    merge f.json f.xml
}

# schema PYTHON-EXPRESSION: holds for the merged schema.
schema() {
    python3 -c 'import json, sys
s = json.load(open("tree/vswitchd/vswitch.ovsschema"))
sys.exit(not eval(sys.argv[1]))' "$1"
}

good='{"add_columns": {"Bridge": {"rank": {"type": "integer"}}},
       "add_tables": {"Core": {"columns": {"id": {"type": "integer"}}}}}'
ok "a column and a table" try "$good"
ok "the column is there" schema \
    's["tables"]["Bridge"]["columns"]["rank"] == {"type": "integer"}'
ok "the old column is there" schema \
    's["tables"]["Bridge"]["columns"]["name"] == {"type": "string"}'
ok "the table is there" schema '"id" in s["tables"]["Core"]["columns"]'
ok "x.y stays, z + 100" schema 's["version"] == "8.3.101"'
ok "the checksum is right" test \
    "$(sed -n 's/.*"cksum": "\(.*\)".*/\1/p' tree/vswitchd/vswitch.ovsschema)" \
    = "$(sh tree/build-aux/calculate-schema-cksum \
             tree/vswitchd/vswitch.ovsschema)"

refuses "a column of theirs" \
    "Open vSwitch has its own column in table 'Bridge': 'name'" \
    try '{"add_columns": {"Bridge": {"name": {"type": "string"}}}}'
ok "and leaves the schema alone" schema 's["version"] == "8.3.1"'
refuses "a table of theirs" "Open vSwitch has its own table 'Bridge'" \
    try '{"add_tables": {"Bridge": {"columns": {}}}}'
refuses "no such table" "Open vSwitch has no table 'Brigde'" \
    try '{"add_columns": {"Brigde": {}}}'
refuses "an unknown member" "unknown member 'columns'" try '{"columns": {}}'
refuses "no JSON" "f.json: " try '{'
make_tree
sed -i 's/8.3.1/8.3/' tree/vswitchd/vswitch.ovsschema
echo '{}' >f.json
refuses "a strange version" "schema version '8.3' is not x.y.z" merge f.json
refuses "another kind of file" "'f.txt' is neither .json nor .xml" merge f.txt

# doc WORDS...: they stand in the documentation, in this order.
doc() {
    python3 -c 'import sys
text, at = open("tree/vswitchd/vswitch.xml").read(), 0
for word in sys.argv[1:]:
    at = text.find(word, at) + 1
    assert at, word
import xml.dom.minidom
xml.dom.minidom.parseString(text.encode())' "$@"
}

column='<column name="rank"><p>New.</p></column>'
ok "before a group" try '{}' \
    "<insert table='Bridge' before='Status'>$column</insert>"
ok "it is there" doc '</column>' 'name="rank"' 'title="Status"'
ok "at the end of a table" try '{}' "<insert table='Bridge'>$column</insert>"
ok "it is there" doc '</group>' 'name="rank"' '</table>'
ok "into a column" try '{}' \
    '<insert table="Bridge" column="other_config" key="mode"><p>c</p></insert>'
ok "it is there" doc 'Mode.' '<p>c</p>' '</column>' 'title="Status"'
ok "after the last table" try '{}' \
    '<insert><table name="Core"><column name="id"/></table></insert>'
ok "it is there" doc '</table>' 'name="Core"' '</database>'
ok "one more value" try '{}' \
    '<enum table="Bridge" column="other_config" key="mode" add="c"/>'
ok "it is there" doc '["a", "b", "c"]'

refuses "a value of theirs" "Open vSwitch has its own value 'b'" try '{}' \
    '<enum table="Bridge" column="other_config" key="mode" add="b"/>'
refuses "a documented column of theirs" \
    "Open vSwitch documents 'name' of 'Bridge' itself" try '{}' \
    "<insert table='Bridge'><column name='name'/></insert>"
refuses "a documented key of theirs" \
    "Open vSwitch documents 'other_config:mode' of 'Bridge' itself" try '{}' \
    "<insert table='Bridge'><column name='other_config' key='mode'/></insert>"
refuses "no such group" '0 places for before="Statsu"' try '{}' \
    '<insert table="Bridge" before="Statsu"/>'
refuses "no such key" '0 places for column="other_config" key="mood"' \
    try '{}' '<insert table="Bridge" column="other_config" key="mood"/>'
refuses "an unknown element" "unknown element 'isnert'" try '{}' '<isnert/>'
refuses "no XML" "f.xml: " try '{}' '<insert>'
finish
