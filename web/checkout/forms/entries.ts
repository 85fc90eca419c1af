/** A transaction hash as payers paste it: alone, without its 0x, or inside an explorer's link. */
export function hashIn(text: string): string | null {
  const [found] = text.match(/(?:0x|\b)[0-9a-fA-F]{64}\b/) ?? []
  if (found === undefined) return null
  return `0x${found.replace(/^0x/, '').toLowerCase()}`
}

/** An address as payers paste it: alone, or behind the name of its network. */
export function addressIn(text: string): string | null {
  const [found] = text.trim().match(/0x[0-9a-fA-F]{40}$/) ?? []
  return found ?? null
}
