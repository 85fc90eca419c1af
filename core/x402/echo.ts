import { MAX_DESCRIPTION_LENGTH } from '../base/description.ts'
import { isMissing, isObject, type JsonObject } from './fields.ts'
import { metadataProblems } from './metadata.ts'

/**
 * What a payer's client sent back of the metadata that the server had put into its 402: extension "bazaar", and
 * `resource`. It is untrusted, so that it is checked and never stored.
 */
export interface Echo {
  /** What is wrong with it; null when it could be shown. */
  readonly problem: string | null
}

/** Reads the echo of a payload; null when there is none. Its cost is bounded. */
export function readEcho(payment: JsonObject): Echo | null {
  const { extensions, resource } = payment
  if (!isObject(extensions) || isMissing(extensions.bazaar)) return null
  if (!isObject(extensions.bazaar)) return { problem: 'extensions.bazaar must be an object' }
  const { info, schema, routeTemplate } = extensions.bazaar
  const about: JsonObject = isObject(resource) ? resource : {}
  const { description, mimeType, serviceName, tags, iconUrl } = about
  if (isMissing(info)) return { problem: 'info is missing' }
  if (!isMissing(description) && !isDescription(description)) {
    return { problem: `description must have at most ${MAX_DESCRIPTION_LENGTH} characters` }
  }
  const sent = { serviceName, tags, iconUrl, info, schema, routeTemplate }
  // Stock servers send an empty type where they know none.
  const given = Object.entries({ ...sent, mimeType: mimeType === '' ? undefined : mimeType })
  const metadata = Object.fromEntries(given.filter(([, value]) => !isMissing(value)))
  const [first] = metadataProblems(metadata)
  return { problem: first === undefined ? null : `${first.path} ${first.message}` }
}

function isDescription(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_DESCRIPTION_LENGTH
}
