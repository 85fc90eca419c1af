/** `bun run sdk`: writes the SDK's types from the API's OpenAPI document and its payment page, and builds its package. */
import { writeFileSync } from 'node:fs'
import { buildPackage } from './package.ts'
import { buildPage, PAGE_FILE } from './page.ts'
import { generateSchema, SCHEMA_FILE } from './schema.ts'

writeFileSync(SCHEMA_FILE, await generateSchema())
writeFileSync(PAGE_FILE, await buildPage())
await buildPackage()
console.log(
  'sdk/src/schema.ts and sdk/src/x402/page/built.ts are current; the package is in sdk/dist',
)
