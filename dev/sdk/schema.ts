/** Types of the API's OpenAPI document for the SDK. */
import { join } from 'node:path'
import { describeEnvironment } from '../../api/app.ts'
import { StackError } from '../processes/child.ts'

export const SDK = join(import.meta.dirname, '../../sdk')
export const SCHEMA_FILE = join(SDK, 'src/schema.ts')

/**
 * Generates the types. The generator needs the TypeScript of the SDK's folder, because newer versions have no
 * JavaScript API. @throws StackError with the generator's output.
 */
export async function generateSchema(): Promise<string> {
  // The sandbox has every endpoint of live, and more.
  const document = withoutExamples(await describeEnvironment('sandbox'))
  const child = Bun.spawn([process.execPath, 'generate.ts'], {
    cwd: SDK,
    stdin: new Blob([JSON.stringify(document)]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [types, words] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) {
    throw new StackError(`The types of the SDK could not be generated:\n${words}`)
  }
  return types
}

/** Removes examples: they don't affect types, and some change daily. */
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    // A property named example is a schema.
    .filter(([key, inner]) => !(key === 'examples' || (key === 'example' && !isSchema(inner))))
    .map(([key, inner]) => [key, withoutExamples(inner)])
  return Object.fromEntries(entries)
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'description' in value
}
