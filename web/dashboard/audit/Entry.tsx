import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import {
  actionName,
  changesOf,
  type EntryJson,
  type FieldChange,
  outcomeName,
  roleOf,
} from './entries.ts'

/** One entry: action, actor, origin and outcome, with the values before and after. */
export function Entry({ entry }: { readonly entry: EntryJson }) {
  const { words } = usePage()
  const { at, actor, actorName, action, objectId, address, agent, traceId, status } = entry
  const changes = changesOf(entry)
  const tone = status === null ? 'warn' : status < 400 ? 'good' : 'bad'
  return (
    <li>
      <span class="long">
        <b>{actionName(words, action)}</b> {objectId}{' '}
        <small class="hint" title={agent ?? ''}>
          {words.say(`audit_${actor}`)} {actorName} {roleOf(words, entry)} {address}{' '}
          <Moment at={at} />
        </small>
        {changes.map((change) => (
          <Change key={change.name} change={change} />
        ))}
        {traceId !== null && (
          <small class="hint block">{words.say('reference', { id: traceId })}</small>
        )}
      </span>
      <Pill tone={tone} text={outcomeName(words, status)} />
    </li>
  )
}

function Change({ change: { name, before, after } }: { readonly change: FieldChange }) {
  const { words } = usePage()
  return (
    <small class="block">
      {name !== '' && `${name}: `}
      {before !== null && (
        <>
          <span class="hint">{words.say('auditBefore')}</span> <code>{before}</code>
        </>
      )}
      {before !== null && after !== null && ' → '}
      {after !== null && <code>{after}</code>}
    </small>
  )
}
