// Answers the two calls that Foundry makes: --version, and --standard-json from stdin to stdout. What was
// compiled is kept outside the checkout, by everything that decides it: the compiler and its whole input.
const { createHash, randomUUID } = require('node:crypto')
const fs = require('node:fs')
const { homedir } = require('node:os')
const { join } = require('node:path')
const zlib = require('node:zlib')

const PINNED = '0.8.30'
const BANNER = `solc, the solidity compiler commandline interface\nVersion: ${PINNED}+commit.73712a01.Emscripten.clang\n`
const KEPT = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'remit/contracts')
/** The least recently used above this number are removed: a search for faults compiles hundreds. */
const MOST_KEPT = 64

function main(flags) {
  const installed = require('solc/package.json').version
  if (installed !== PINNED) fail(`the package solc is ${installed}, but ${PINNED} is pinned`)
  // Answered without loading the compiler, because Foundry asks before every run.
  if (flags.includes('--version')) return write(BANNER)
  if (!flags.includes('--standard-json')) fail(`unsupported arguments: ${flags.join(' ')}`)
  const input = fs.readFileSync(0, 'utf8')
  const file = join(KEPT, `${keyOf(input)}.gz`)
  write(read(file) ?? compile(input, file))
}

/** Foundry puts every source into the input, hence there is no import callback, and nothing else decides. */
function compile(input, file) {
  const output = require('solc').compile(input)
  if (!JSON.parse(output).errors?.some(({ severity }) => severity === 'error')) keep(file, output)
  return output
}

function keyOf(input) {
  const compiler = fs.readFileSync(require.resolve('solc/soljson.js'))
  return createHash('sha256').update(sha256(compiler)).update(input).digest('hex')
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex')
}

/** What was kept, unless it is missing, torn or not what was written. */
function read(file) {
  try {
    const text = zlib.gunzipSync(fs.readFileSync(file)).toString()
    const [digest, output] = [text.slice(0, 64), text.slice(64)]
    if (digest !== sha256(output)) return null
    fs.utimesSync(file, new Date(), new Date())
    return output
  } catch {
    return null
  }
}

/** Under another name first: who reads meanwhile sees all of it or nothing. Without a place nothing is kept. */
function keep(file, output) {
  const draft = `${file}.${randomUUID()}`
  try {
    fs.mkdirSync(KEPT, { recursive: true })
    fs.writeFileSync(draft, zlib.gzipSync(sha256(output) + output, { level: 1 }))
    fs.renameSync(draft, file)
    removeOldest()
  } catch {
    fs.rmSync(draft, { force: true })
  }
}

function removeOldest() {
  const files = fs.readdirSync(KEPT).map((name) => join(KEPT, name))
  const ages = files.map((file) => ({ file, used: fs.statSync(file).mtimeMs }))
  ages.sort((a, b) => b.used - a.used)
  for (const { file } of ages.slice(MOST_KEPT)) fs.rmSync(file, { force: true })
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
