import { existsSync, readFileSync } from 'node:fs'
import { asMerchantId, isUuid, type MerchantId } from '../../core/ids.ts'
import type { CommandInput } from '../terminal/command.ts'
import { stackDescription } from '../terminal/environment.ts'

/** What the notes of the development stack say about its API and its demo merchant. */
export interface DemoNotes {
  readonly apiUrl: string | undefined
  readonly secretKey: string | undefined
  readonly merchantId: MerchantId | undefined
}

/** The notes; all of it undefined where there is no stack. */
export function demoNotes({ variables }: Pick<CommandInput, 'variables'>): DemoNotes {
  const path = stackDescription(variables)
  const notes: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
  const fields: Record<string, unknown> = { ...(typeof notes === 'object' ? notes : null) }
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? value : undefined
  }
  const merchantId = text('merchantId')
  return {
    apiUrl: text('apiUrl'),
    secretKey: text('secretKey'),
    merchantId: merchantId && isUuid(merchantId) ? asMerchantId(merchantId) : undefined,
  }
}
