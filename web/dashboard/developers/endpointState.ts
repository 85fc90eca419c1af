import type { WebhookEndpointJson } from '../../../core/webhook/endpoint.ts'
import type { Tone } from '../parts/Pill.tsx'

/** An endpoint's status, as a word and a colour. */
export function endpointState({
  active,
  disabledReason,
  failingSince,
  provenAt,
}: WebhookEndpointJson) {
  if (!active)
    return { word: OFF[disabledReason ?? 'merchant'], tone: 'bad' satisfies Tone } as const
  if (failingSince !== null) return { word: 'devFailing', tone: 'warn' satisfies Tone } as const
  if (provenAt === null) return { word: 'devNoDeliveries', tone: 'calm' satisfies Tone } as const
  return { word: 'active', tone: 'good' satisfies Tone } as const
}

const OFF = {
  merchant: 'devDisabled',
  gone: 'devDisabledGone',
  failing: 'devDisabledFailing',
} as const
