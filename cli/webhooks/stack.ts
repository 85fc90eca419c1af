import { existsSync, readFileSync } from 'node:fs'
import { asMerchantId, isUuid, type MerchantId } from '../../core/ids.ts'
import type { CommandInput } from '../terminal/command.ts'
import { stackDescription } from '../terminal/environment.ts'

/** What the development stack says about its API and its demo merchant. */
export interface DemoStack {
  readonly apiUrl: string | undefined
  readonly secretKey: string | undefined
  readonly merchantId: MerchantId | undefined
}

/** All of it is undefined where there is no stack. */
export function demoStack({ variables }: Pick<CommandInput, 'variables'>): DemoStack {
  const path = stackDescription(variables)
  const content: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
  const fields: Record<string, unknown> = { ...(typeof content === 'object' ? content : null) }
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
