/** The development stack with its entry points in containers; started by `check:deploy`. */
import { join } from 'node:path'
import { sayAs } from '../processes/terminal.ts'
import { runStack } from '../stack/start.ts'
import { containersOf } from './container.ts'

const containers = containersOf(String(process.pid))
try {
  const root = join(import.meta.dirname, '../..')
  const say = sayAs('image')
  const { launch } = containers
  process.exitCode = await runStack({ root, fresh: false, startedAt: Date.now(), say, launch })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await containers.remove()
}
process.exit()
