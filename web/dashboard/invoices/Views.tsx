import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { LONGEST_VIEW_NAME, type SavedView } from '../../../core/dashboard/views.ts'
import { Dialog } from '../forms/Dialog.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { toastDone } from '../parts/Toasts.tsx'
import { getData, merchantApi, request } from '../session/request.ts'
import { type Filters, viewQuery } from './filters.ts'

interface ViewsProps {
  readonly merchantId: string
  readonly filters: Filters
  /** Called with the query of a view. */
  readonly goTo: (query: string) => void
}

/** The signed-in user's saved views, as chips, with buttons to save or remove one. */
export function Views({ merchantId, filters, goTo }: ViewsProps) {
  const { words } = usePage()
  const client = useQueryClient()
  const [isNaming, setNaming] = useState(false)
  const path = merchantApi(merchantId, '/v1/views')
  const queryKey = ['views', merchantId]
  const views = useQuery({ queryKey, queryFn: () => getData<readonly SavedView[]>(path) })
  const here = viewQuery(filters)
  const current = views.data?.find(({ query }) => query === here)

  async function save(fields: FormData): Promise<void> {
    await request('POST', path, { name: String(fields.get('name')).trim(), query: here })
    await client.invalidateQueries({ queryKey })
    setNaming(false)
    toastDone(words, 'audit_saveView', `${location.pathname}?${here}`)
  }
  async function remove({ id }: SavedView): Promise<void> {
    await request('DELETE', `${path}/${id}`)
    await client.invalidateQueries({ queryKey })
    toastDone(words, 'audit_deleteView', location.pathname)
  }
  return (
    <>
      {views.data?.map((view) => (
        <button
          key={view.id}
          type="button"
          class="chip"
          aria-pressed={view.id === current?.id}
          onClick={() => goTo(view.query)}
        >
          {view.name}
        </button>
      ))}
      {here !== '' && current === undefined && (
        <button type="button" class="quiet" onClick={() => setNaming(true)}>
          {words.say('saveView')}
        </button>
      )}
      {current !== undefined && (
        <button type="button" class="quiet" onClick={() => remove(current)}>
          {words.say('removeView', { name: current.name })}
        </button>
      )}
      {isNaming && (
        <Dialog title={words.say('saveView')} onClose={() => setNaming(false)}>
          <Form action={words.say('saveView')} onSend={save}>
            <label class="field">
              <span>{words.say('viewName')}</span>
              <input
                class="wide"
                name="name"
                required
                maxLength={LONGEST_VIEW_NAME}
                autocomplete="off"
              />
            </label>
          </Form>
        </Dialog>
      )}
    </>
  )
}
