/** The SDK as a package: JavaScript and declarations in `sdk/dist`. */
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StackError } from '../processes/child.ts'
import { SDK } from './schema.ts'

/** Rebuilds the package. @throws StackError with the compiler's message. */
export async function buildPackage(): Promise<void> {
  rmSync(join(SDK, 'dist'), { recursive: true, force: true })
  const compiler = join(SDK, '../node_modules/.bin/tsc')
  const child = Bun.spawn([process.execPath, compiler, '--project', SDK], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const words = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new StackError(`The SDK could not be built:\n${words}`)
  copyFileSync(join(SDK, '../LICENSE'), join(SDK, 'LICENSE'))
}
