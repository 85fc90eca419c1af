import { pasted } from '../../core/base/text.ts'

const HASH = /(?:0x|\b)[0-9a-f]{64}\b/i

/** A transaction hash as payers paste it: alone, without its 0x, or inside an explorer's link. */
export function hashIn(text: string): string | null {
  const [found] = text.match(HASH) ?? pasted(text).match(HASH) ?? []
  return found === undefined ? null : `0x${found.slice(-64).toLowerCase()}`
}

/** An address as payers paste it: alone, or behind the name of its network. */
export function addressIn(text: string): string | null {
  const [found] = pasted(text).match(/0x[0-9a-fA-F]{40}$/) ?? []
  return found ?? null
}
