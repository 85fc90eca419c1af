import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Table } from '../parts/Table.tsx'
import {
  actionName,
  changesOf,
  type EntryJson,
  type FieldChange,
  outcomeName,
  roleOf,
} from './entries.ts'

/** Entries: what was done, by whom, to what and when, with the values before and after behind a button. */
export function EntryTable({ entries }: { readonly entries: readonly EntryJson[] }) {
  const { words } = usePage()
  return (
    <Table
      label={words.say('audit')}
      columns={[
        {
          ...{ name: words.say('auditAction'), kind: 'long', phone: 'start' },
          cell: (entry) => <Done entry={entry} />,
        },
        {
          ...{ name: words.say('auditActor'), kind: 'long', phone: 'below' },
          cell: (entry) => (
            <>
              {entry.actorName}
              <small class="hint block">
                {words.say(`audit_${entry.actor}`)} {roleOf(words, entry)}
              </small>
            </>
          ),
        },
        {
          ...{ name: words.say('resource'), kind: 'long', phone: 'whole' },
          cell: (entry) => <Resource entry={entry} />,
        },
        {
          ...{ name: words.say('time'), phone: 'end' },
          cell: ({ at }) => <Moment at={at} />,
        },
      ]}
      rows={entries}
      keyOf={({ id }) => id}
    />
  )
}

/** The action; its outcome only where it is not as usual. */
function Done({ entry: { action, status } }: { readonly entry: EntryJson }) {
  const { words } = usePage()
  return (
    <>
      {actionName(words, action)}{' '}
      {(status === null || status >= 400) && (
        <Pill tone={status === null ? 'warn' : 'bad'} text={outcomeName(words, status)} />
      )}
    </>
  )
}

function Resource({ entry }: { readonly entry: EntryJson }) {
  const { words } = usePage()
  const { objectId, address, agent, traceId } = entry
  return (
    <details>
      <summary>{objectId ?? words.say('details')}</summary>
      {changesOf(entry).map((change) => (
        <Change key={change.name} change={change} />
      ))}
      <small class="hint block">
        {[address, agent].filter((part) => part !== null).join(' · ')}
      </small>
      {traceId !== null && (
        <small class="hint block">{words.say('reference', { id: traceId })}</small>
      )}
    </details>
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
