/** Reads an OpenAPI document from stdin and writes its types to stdout. */
import openapiTS, { astToString } from 'openapi-typescript'

const document = await new Response(Bun.stdin.stream()).text()
// Fields with a default are optional in requests.
const types = await openapiTS(document, {
  defaultNonNullable: false,
  emptyObjectsUnknown: true,
})
process.stdout.write(
  `/** Written by \`bun run sdk\` from the API's OpenAPI document. */\n\n${astToString(types)}`,
)
