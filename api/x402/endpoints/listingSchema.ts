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

/** Responses of the catalogue, in the format of the extension "bazaar". */

const fields = {
  resource: text('The URL, or the pattern of its path.', ENDPOINT_URL),
  type: text('Its kind: http, mcp or a2a.', 'http'),
  x402Version: integer('The version of the protocol.', 2),
  accepts: list('All payable prices, the newest first.', requirementsSchema),
  lastUpdated: time('When it was last changed.', '2026-08-01T12:00:00.000Z'),
  description: text('What the payer gets.', 'The daily report, one cent'),
  ...partial({
    mimeType: text('The media type of its response.', 'application/json'),
    serviceName: text('The name of the service.', 'Reports'),
    tags: list('Its tags.', text('A tag.', 'reports')),
    iconUrl: text('An icon of the service.', 'https://shop.example/icon.png'),
    extensions: {
      ...discoverySchema,
      title: 'X402Extensions',
      description: 'The extension `bazaar`.',
    },
  }),
} satisfies Record<keyof DiscoveryJson, DocumentedSchema>

const resource = named('X402Resource', 'A payable resource.', fields)
const version = integer('The version of the protocol.', 2)
const limit = integer('The maximum number of results.', 20)

export const listedSchema = object('A page of the list.', {
  x402Version: version,
  items: list('The newest first.', resource),
  pagination: object('The position of the page.', {
    limit,
    offset: integer('The number of skipped results.', 0),
    total: integer('The number of results, at most 10,000.', 1),
  }),
})

export const foundSchema = object('The results.', {
  x402Version: version,
  resources: list('The newest first.', resource),
  partialResults: flag('True if not all matches were searched.', false),
  pagination: object('The cursor of the next page.', {
    limit,
    cursor: nullable(text('The cursor; null on the last page.', '20')),
  }),
})
