/** `bun run sdk`: writes the SDK's types from the API's OpenAPI document, and builds its package. */
import { writeFileSync } from 'node:fs'
import { buildPackage } from './package.ts'
import { generateSchema, SCHEMA_FILE } from './schema.ts'

writeFileSync(SCHEMA_FILE, await generateSchema())
await buildPackage()
console.log('sdk/src/schema.ts is current; the package is in sdk/dist')
