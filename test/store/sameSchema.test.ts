import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../store/database.ts'
import { migrate } from '../../store/migrate.ts'
import { createDatabase, type TestDatabase } from '../support/servers/run.ts'
import { catalogue } from './sameSchema.ts'

/** The schema by subject is what the migrations come to. SCHEMA_COMPARISON names a file for the differences. */

const STORE = join(import.meta.dirname, '../../store')

/** What differs on purpose, and why. */
const EXPLAINED: readonly (readonly [RegExp, string])[] = [
  [
    /known_hub|outdated_hubs\(\)/,
    'the first version of the hub: no database has an address of one',
  ],
  [
    /log_place|external_refund_once|record_external_refund\(/,
    'the place of a transfer among all logs of its transaction: the place among equal transfers has replaced it',
  ],
  [/function change_member\(|change_member\(uuid/, 'change_membership has replaced it'],
  [/metadata_terms\(jsonb\)/, 'metadata_entries has replaced it'],
  [/invoice_metadata\.digest/, 'every value is written with its digest'],
  [/x402_hold\.terms/, 'every hold is written with its terms'],
  [/idempotency_key/, 'one hash, of the JSON value: equal bytes have equal values'],
  [
    /words_of_listing|words_of_resource|x402_endpoint_words /,
    'one function for the words of an endpoint',
  ],
  [/x402_payment_undistributed/, 'x402_payment_to_distribute has replaced it'],
  [/work_item_undone/, 'a second index with the definition of work_item_assigned'],
  [/take_type_of_event\(\)/, 'every delivery is written with its type'],
  [/secret_keys_in_use\(\)/, 'secrets without encryption are none'],
  [
    /EXECUTE to public$/,
    'no function is everybody’s: all are created after the default was revoked',
  ],
]

let created: TestDatabase[] = []
let before: Database
let after: Database

beforeAll(async () => {
  created = [await createDatabase(), await createDatabase()]
  const [one, other] = created.map(({ url }) => openDatabase(url, { name: 'test', poolSize: 1 }))
  if (!one || !other) throw new Error('there are no databases')
  before = one
  after = other
  await migrate(before, { directory: join(STORE, 'migrations') })
  await migrate(after, { directory: join(STORE, 'schema') })
}, 60_000)
afterAll(async () => {
  await before?.end()
  await after?.end()
  for (const { drop } of created) await drop()
})

test('the schema is what the migrations come to, but for what is explained', async () => {
  const [old, fresh] = [await catalogue(before), await catalogue(after)]
  const [inOld, inFresh] = [new Set(old), new Set(fresh)]
  const differences = [
    ...old.filter((line) => !inFresh.has(line)).map((line) => `- ${line}`),
    ...fresh.filter((line) => !inOld.has(line)).map((line) => `+ ${line}`),
  ]
  const reasonOf = (line: string) => EXPLAINED.find(([pattern]) => pattern.test(line))?.[1]
  const path = process.env.SCHEMA_COMPARISON
  if (path) {
    const same = old.filter((line) => inFresh.has(line)).length
    const lines = differences.map((line) => `${reasonOf(line) ?? 'UNEXPLAINED'}\n    ${line}`)
    const head = `${old.length} lines before, ${fresh.length} after, ${same} the same`
    writeFileSync(path, `${[head, ...lines.sort()].join('\n')}\n`)
  }
  expect(differences.filter((line) => reasonOf(line) === undefined)).toEqual([])
  expect(EXPLAINED.filter(([pattern]) => !differences.some((one) => pattern.test(one)))).toEqual([])
})
