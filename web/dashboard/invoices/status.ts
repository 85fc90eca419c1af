import type { Tone } from '../parts/Pill.tsx'
import type { Row } from './rows.ts'

/** The word and the colour of an invoice's status. */
export function statusOf({ status, expired }: Pick<Row, 'status' | 'expired'>) {
  return expired ? EXPIRED : BY_STATUS[status]
}

interface Shown {
  readonly word: 'pending' | 'partial' | 'paid' | 'completed' | 'expired'
  readonly tone: Tone
}

const EXPIRED: Shown = { word: 'expired', tone: 'bad' }
const BY_STATUS: Readonly<Record<Row['status'], Shown>> = {
  pending: { word: 'pending', tone: 'calm' },
  partial: { word: 'partial', tone: 'warn' },
  paid: { word: 'paid', tone: 'good' },
  completed: { word: 'completed', tone: 'good' },
}
