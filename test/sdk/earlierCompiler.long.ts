import { test } from 'bun:test'
import { join } from 'node:path'
import { SDK } from '../../dev/sdk/schema.ts'
import { createProjects } from '../support/sdk/project.ts'

test("a merchant's program compiles against the packed SDK under the compiler before this project's own", async () => {
  const { remove } = await createProjects(join(SDK, 'node_modules/typescript/bin/tsc'))
  remove()
}, 240_000)
