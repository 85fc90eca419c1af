import { type Action, PERMISSIONS, type Role } from '../../../core/access/roles.ts'
import {
  COMMAND_ACTIONS,
  OPERATOR_PAGE_ACTIONS,
  SIGN_IN_EVENTS,
} from '../../../core/events/audit.ts'
import type { DashboardWords } from '../parts/page.ts'
import { roleName } from '../parts/roleName.ts'

/** An entry of the audit log as the server sends it. */
export interface EntryJson {
  readonly id: string
  readonly at: string
  readonly actor: 'person' | 'key' | 'operator'
  readonly actorName: string
  readonly role: Role | null
  readonly action: string
  readonly objectId: string | null
  readonly before: unknown
  readonly after: unknown
  readonly address: string | null
  readonly agent: string | null
  readonly traceId: string | null
  readonly status: number | null
}

export interface PageJson {
  readonly entries: readonly EntryJson[]
  /** What `before` is for the next page. */
  readonly next: string | null
}

const READING = ['get', 'list', 'find', 'report', 'follow', 'search'] as const
type Changing = Exclude<Action, `${(typeof READING)[number]}${string}`>

function isChanging(name: string): name is Changing {
  return name in PERMISSIONS && !READING.some((verb) => name.startsWith(verb))
}

/** What can be in a merchant's log: what changes something, and what is about signing in. */
export const ACTIONS = [...SIGN_IN_EVENTS, ...Object.keys(PERMISSIONS).filter(isChanging)]

/** What can be in the log of operators: their commands, what they do on their pages, and their signing in. */
export const OPERATOR_ACTIONS: readonly string[] = [
  ...new Set([...SIGN_IN_EVENTS, ...OPERATOR_PAGE_ACTIONS, ...COMMAND_ACTIONS]),
]

const NAMED = [...ACTIONS, ...COMMAND_ACTIONS, ...OPERATOR_PAGE_ACTIONS]

/** What was done, in words; only what another version has written has its own name. */
export function actionName(words: DashboardWords, action: string): string {
  const known = NAMED.find((one) => one === action)
  return known === undefined ? action : words.say(`audit_${known}`)
}

/** The actor's role at that time; empty without one. */
export function roleOf(words: DashboardWords, { role }: Pick<EntryJson, 'role'>): string {
  return role === null ? '' : roleName(words, role)
}

/** A changed or requested field. Null when unknown. */
export interface FieldChange {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** An entry's values before and after, field by field. */
export function changesOf({ before, after }: EntryJson): readonly FieldChange[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)]
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].map((name) => ({ name, before: textOf(from[name]), after: textOf(to[name]) }))
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : { '': value }
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function outcomeName(words: DashboardWords, status: number | null): string {
  if (status === null) return words.say('auditInterrupted')
  return words.say(status < 400 ? 'auditDone' : 'refused')
}

/** The lines of a file with what is shown, times in ISO 8601. */
export function linesOf(
  words: DashboardWords,
  entries: readonly EntryJson[],
): readonly (readonly (string | null)[])[] {
  const head = [
    ...[words.say('time'), words.say('auditActor'), words.say('auditKind')],
    ...[words.say('role'), words.say('auditAction'), words.say('resource')],
    ...[words.say('auditBefore'), words.say('auditAfter'), words.say('auditAddress')],
    ...[words.say('auditAgent'), words.say('request'), words.say('auditOutcome')],
  ]
  const rows = entries.map((entry) => [
    ...[entry.at, entry.actorName, words.say(`audit_${entry.actor}`), roleOf(words, entry)],
    ...[actionName(words, entry.action), entry.objectId],
    ...[jsonOf(entry.before), jsonOf(entry.after)],
    ...[entry.address, entry.agent, entry.traceId, outcomeName(words, entry.status)],
  ])
  return [head, ...rows]
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
