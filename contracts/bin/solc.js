// Answers the two calls that Foundry makes: --version, and --standard-json from stdin to stdout.
const fs = require('node:fs')

const PINNED = '0.8.30'
const BANNER = `solc, the solidity compiler commandline interface\nVersion: ${PINNED}+commit.73712a01.Emscripten.clang\n`

function main(flags) {
  const installed = require('solc/package.json').version
  if (installed !== PINNED) fail(`the package solc is ${installed}, but ${PINNED} is pinned`)
  // Answered without loading the compiler, because Foundry asks before every run.
  if (flags.includes('--version')) return write(BANNER)
  if (!flags.includes('--standard-json')) fail(`unsupported arguments: ${flags.join(' ')}`)
  const input = fs.readFileSync(0, 'utf8')
  // Foundry puts every source into the input, hence there is no import callback.
  write(require('solc').compile(input))
}

/** Writes all of it before returning: the output is megabytes long and stdout may be a full pipe. */
function write(text) {
  const bytes = Buffer.from(text)
  let written = 0
  while (written < bytes.length) {
    try {
      written += fs.writeSync(1, bytes, written)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

function fail(sentence) {
  process.stderr.write(`solc: ${sentence}\n`)
  process.exit(1)
}

main(process.argv.slice(2))
