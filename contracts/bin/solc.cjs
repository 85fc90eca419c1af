// The two questions that Forge asks a compiler, answered by the solc package.
const { readFileSync, writeSync } = require('node:fs')

/** The commit of each release we pin, so that --version need not boot the compiler (0.4 s). */
const COMMITS = { '0.8.30': 'commit.73712a01' }

function version() {
  const release = require('solc/package.json').version
  const commit = COMMITS[release]
  return commit === undefined ? require('solc').version() : `${release}+${commit}`
}

/** Outputs are megabytes and stdout is a pipe: leaving early would cut them off. */
function print(text) {
  const bytes = Buffer.from(text)
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

const flags = process.argv.slice(2)
if (flags.includes('--version')) {
  print(`solc, the solidity compiler commandline interface\nVersion: ${version()}\n`)
} else if (flags.includes('--standard-json')) {
  // Forge puts every source into the input, so no import callback is needed.
  print(require('solc').compile(readFileSync(0, 'utf8')))
} else {
  process.stderr.write(
    `This compiler knows --version and --standard-json, not: ${flags.join(' ')}\n`,
  )
  process.exitCode = 1
}
