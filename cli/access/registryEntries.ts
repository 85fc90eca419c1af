import { type Address, checksumAddress } from '../../core/chain/evm.ts'
import type { StoredEntry } from '../../store/hub/registryEntries.ts'

/** The merchant's registry entries, as read by workers, as lines of a name and a text. */

interface Wanted {
  readonly recipient: Address | null
  readonly configVersion: number
}

/** `now` decides whether a change can be activated; chains' clocks are close to ours. */
export function entryLines(
  wanted: Wanted,
  entries: readonly StoredEntry[],
  now: Date,
): [string, string][] {
  return entries.flatMap((entry) => {
    const { networkId, hub, version, treasury, changeVersion, changeTreasury } = entry
    const place = `registry on ${networkId}`
    const lines: [string, string][] = []
    if (version !== null && treasury !== null) {
      const text = entryText(wanted, { version, treasury })
      lines.push([place, `${text}, active (hub ${checksumAddress(hub)})`])
    }
    if (changeVersion !== null && changeTreasury !== null) {
      const text = entryText(wanted, { version: changeVersion, treasury: changeTreasury })
      lines.push([place, `${text}, ${changeText(entry.changeReadyAt, now)}`])
    }
    return lines
  })
}

function entryText(
  { recipient, configVersion }: Wanted,
  { version, treasury }: { readonly version: number; readonly treasury: Address },
): string {
  const isUnknown = version > configVersion || (version === configVersion && treasury !== recipient)
  const note = isUnknown ? ', not requested here' : ''
  return `version ${version} to ${checksumAddress(treasury)}${note}`
}

function changeText(readyAt: Date | null, now: Date): string {
  if (readyAt === null) return 'vetoed'
  const time = readyAt.toISOString()
  return now < readyAt
    ? `pending until ${time}; until then the hub pays this merchant nothing`
    : `pending; can be activated since ${time}`
}
