import { singleServers } from '../../core/base/databaseUrl.ts'
import type { IndexerConfig } from '../../core/config/processes.ts'

/** Hiding shorter texts would garble every log line and protect nothing. */
const SHORTEST = 4
/** Shorter parts of a path are words such as `v2` or `mainnet`. */
const SHORTEST_KEY = 12

/**
 * Returns a function that hides what must not appear in a log: the keys in the paths of RPC URLs, the
 * database's password, the operator's token. Ponder and its libraries print whole URLs when a
 * request fails, so everything they print passes through it.
 */
export function hider(config: IndexerConfig): (text: string) => string {
  const secrets = new Set<string>()
  const add = (secret: string) => {
    if (secret.length >= SHORTEST) secrets.add(secret)
  }
  for (const { rpcUrls, wsUrl } of config.chains) {
    for (const text of wsUrl === null ? rpcUrls : [...rpcUrls, wsUrl]) {
      const url = new URL(text)
      add(url.pathname.slice(1))
      add(url.search.slice(1))
      // A provider may repeat the key without what is around it.
      const parts = [...url.pathname.split('/'), ...url.searchParams.values()]
      for (const part of parts) if (part.length >= SHORTEST_KEY) add(part)
      addCredentials(url, add)
    }
  }
  for (const text of [config.databaseUrl, config.directUrl]) {
    for (const url of singleServers(text)) addCredentials(new URL(url), add)
  }
  add(config.operatorToken ?? '')
  // The longest first, because one may contain another.
  const ordered = [...secrets].sort((a, b) => b.length - a.length)
  return (text) => ordered.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text)
}

function addCredentials(url: URL, add: (secret: string) => void): void {
  add(url.password)
  add(decodeURIComponent(url.password))
  // In RPC URLs the key may be in the place of the user name.
  if (!url.protocol.startsWith('postgres')) add(url.username)
}
