import type { DiscoveryJson } from '../../../core/x402/listing.ts'
import {
  type DocumentedSchema,
  flag,
  integer,
  list,
  named,
  nullable,
  object,
  partial,
  text,
  time,
} from '../../request/schema.ts'
import { discoverySchema, ENDPOINT_URL, requirementsSchema } from './schema.ts'

/** What the catalogue answers, as clients of the extension "bazaar" read it. */

const fields = {
  resource: text('The URL, or the pattern of its path.', ENDPOINT_URL),
  type: text('Its kind: http, mcp or a2a.', 'http'),
  x402Version: integer('The version of the protocol.', 2),
  accepts: list('All prices that can be paid, the newest first.', requirementsSchema),
  lastUpdated: time('When it was last changed.', '2026-08-01T12:00:00.000Z'),
  description: text('What the payer gets.', 'The daily report, one cent'),
  ...partial({
    mimeType: text('What it answers.', 'application/json'),
    serviceName: text('Who offers it.', 'Reports'),
    tags: list('What it is about.', text('A word.', 'reports')),
    iconUrl: text('A picture of the service.', 'https://shop.example/icon.png'),
    extensions: {
      ...discoverySchema,
      title: 'X402Extensions',
      description: 'The extension `bazaar`.',
    },
  }),
} satisfies Record<keyof DiscoveryJson, DocumentedSchema>

const resource = named('X402Resource', 'A resource that can be paid for.', fields)
const version = integer('The version of the protocol.', 2)
const limit = integer('How many at most.', 20)

export const listedSchema = object('A page of the list.', {
  x402Version: version,
  items: list('The newest first.', resource),
  pagination: object('Where the page is.', {
    limit,
    offset: integer('How many were skipped.', 0),
    total: integer('The number of results, at most 10,000.', 1),
  }),
})

export const foundSchema = object('The results.', {
  x402Version: version,
  resources: list('The newest first.', resource),
  partialResults: flag('More match than are looked through.', false),
  pagination: object('How to continue.', {
    limit,
    cursor: nullable(text('For the next page; null on the last.', '20')),
  }),
})
