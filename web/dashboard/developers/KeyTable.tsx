import { Confirm } from '../forms/Confirm.tsx'
import { CopyButton } from '../parts/CopyButton.tsx'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { type Column, Table } from '../parts/Table.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { request } from '../session/request.ts'
import type { KeyJson, MadeKeyJson } from './keyJson.ts'

interface KeyTableProps {
  readonly label: string
  readonly keys: readonly KeyJson[]
  readonly path: string
  readonly mayChange: boolean
  /** Called with the key that replaces one; null when none does. */
  readonly onChanged: (made: MadeKeyJson | null) => Promise<void>
}

/** Keys with what they open and when they were used, and what can be done with each. */
export function KeyTable({ label, keys, path, mayChange, onChanged }: KeyTableProps) {
  const { words } = usePage()
  const isRevoked = keys.some(({ revokedAt }) => revokedAt !== null)
  const columns: readonly Column<KeyJson>[] = [
    { ...{ name: words.say('itsName'), kind: 'long', phone: 'start' }, cell: ({ name }) => name },
    { ...{ name: words.say('key'), kind: 'long' }, cell: (key) => <KeyItself {...key} /> },
    {
      name: words.say('devScopes'),
      cell: ({ kind, scopes }) =>
        scopes?.join(', ') ?? words.say(kind === 'secret' ? 'devFullAccess' : 'devPublishableKey'),
    },
    { name: words.say('created'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      name: words.say(isRevoked ? 'devRevokedAt' : 'devLastUsed'),
      cell: ({ revokedAt, lastUsedAt }) => {
        const at = revokedAt ?? lastUsedAt
        return at ? <Moment at={at} /> : words.say('devNeverUsed')
      },
    },
  ]
  const actions: Column<KeyJson> = {
    ...{ name: words.say('devActions'), kind: 'actions', phone: 'whole' },
    cell: (current) => <KeyActions {...{ current, path, onChanged }} />,
  }
  return (
    <Table
      label={label}
      columns={mayChange ? [...columns, actions] : columns}
      rows={keys}
      keyOf={({ id }) => id}
    />
  )
}

/** A publishable key that is active, whole; of others the last characters. */
function KeyItself({ kind, name, key, hint, revokedAt }: KeyJson) {
  if (key !== null && revokedAt === null) {
    return (
      <>
        <code>{key}</code> <CopyButton value={key} of={name} />
      </>
    )
  }
  return (
    <code>
      {kind === 'secret' ? 'sk' : 'pk'}_…{hint}
    </code>
  )
}

interface KeyActionsProps extends Pick<KeyTableProps, 'path' | 'onChanged'> {
  readonly current: KeyJson
}

function KeyActions({ current: { id, name }, path, onChanged }: KeyActionsProps) {
  const { words } = usePage()
  async function rotate(): Promise<void> {
    const answer = await request<{ data: MadeKeyJson }>('POST', `${path}/${id}/rotate`)
    await onChanged(answer.data)
    toastDone(words, 'audit_replaceApiKey', location.pathname)
  }
  async function revoke(): Promise<void> {
    await request('POST', `${path}/${id}/revoke`)
    await onChanged(null)
    toastDone(words, 'audit_revokeApiKey', location.pathname)
  }
  return (
    <div class="actions">
      <Confirm
        label={words.say('devRotate')}
        title={words.say('devRotateTitle', { name })}
        action={words.say('devRotateDo')}
        onConfirm={rotate}
      >
        <p>{words.say('devRotateNext')}</p>
      </Confirm>
      <Confirm
        label={words.say('devRevoke')}
        title={words.say('devRevokeTitle', { name })}
        action={words.say('devRevokeDo')}
        onConfirm={revoke}
      >
        <p>{words.say('devRevokeNext')}</p>
      </Confirm>
    </div>
  )
}
