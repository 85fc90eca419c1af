/**
 * `bun run check:api`: two linters look at the OpenAPI document by the rules that they recommend. They
 * are large, so they are fetched for this command only.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeEnvironment } from '../api/app.ts'

const LINTERS = [
  ['@stoplight/spectral-cli@6.16.3', 'spectral', 'lint', '--ruleset', 'rules.yaml'],
  ['@redocly/cli@2.77.0', 'redocly', 'lint', '--extends', 'recommended'],
] as const

const folder = mkdtempSync(join(tmpdir(), 'remit-api-'))
try {
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(await describeEnvironment('sandbox')))
  writeFileSync(join(folder, 'rules.yaml'), 'extends: ["spectral:oas"]\n')
  for (const [name, command, ...args] of LINTERS) {
    const { exited } = Bun.spawn(
      [process.execPath, 'x', '-p', name, command, ...args, 'openapi.json'],
      { cwd: folder, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' },
    )
    if ((await exited) !== 0) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true })
}
