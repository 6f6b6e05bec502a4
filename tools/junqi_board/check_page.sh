#!/usr/bin/env bash
# Type-check the JavaScript of the page with the TypeScript compiler, which reads its JSDoc comments; measure its lines.
# Usage: tools/junqi_board/check_page.sh [FOLDER], where npm keeps the compiler (by default a temporary folder).
set -euo pipefail
typescript=5.9.3
if ! command -v node > /dev/null || ! command -v npm > /dev/null; then
  echo "check_page.sh: node and npm are needed to check the page's JavaScript (Debian: apt-get install nodejs npm)" >&2
  exit 1
fi
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-}
if [ -z "$folder" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "typescript@$typescript" > /dev/null
"$folder/node_modules/.bin/tsc" --project "$here/jsconfig.json"
if grep -rnE --include='*.js' --exclude-dir=vendor '^.{121}' "$here/page"; then
  echo "check_page.sh: these lines have more than 120 characters" >&2
  exit 1
fi
echo "the page's JavaScript is correctly typed"
