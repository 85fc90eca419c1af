import { AppError } from '../../../core/base/errors.ts'
import { LONGEST_VIEW_NAME, LONGEST_VIEW_QUERY, MOST_VIEWS } from '../../../core/dashboard/views.ts'
import { deleteView, listViews, saveView } from '../../../store/dashboard/views.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject, sendWholeList } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { bodyOf, invalidBody } from '../../request/body.ts'
import { INVOICE_ID } from '../../request/examples.ts'
import { pathId } from '../../request/id.ts'
import { many, one } from '../../request/responses.ts'
import { object, text, uuid } from '../../request/schema.ts'
import { ownerOf } from './owner.ts'

/** /v1/views: a user's saved filters and columns. */

const viewSchema = object('A view.', {
  id: uuid('The view.', INVOICE_ID),
  name: text('Its name.', 'Late this week'),
  query: text("The query of the page's URL.", 'status=partial'),
})

export const listViewsRoute = route({
  operation: 'GET /v1/views',
  access: 'merchant',
  summary: 'List saved views',
  description: "The caller's views, by name.",
  operationId: 'listViews',
  successes: { 200: many('The views.', viewSchema) },
  handle: async (deps, { exchange }) => {
    const owner = ownerOf(exchange)
    return sendWholeList(exchange, await guardDatabase(deps, (sql) => listViews(sql, owner)))
  },
})

export const saveViewRoute = route({
  operation: 'POST /v1/views',
  access: 'merchant',
  body: bodyOf('The view.', {
    name: text('Its name; a view of the same name is replaced.', 'Late this week'),
    query: text("The query of the page's URL.", 'status=partial'),
  }),
  summary: 'Save a view',
  description: 'Saves filters and columns under a name, for the caller only.',
  operationId: 'saveView',
  successes: { 200: one('The view.', viewSchema) },
  handle: async (deps, { exchange, body }) => {
    const owner = ownerOf(exchange)
    const name = body.name.trim()
    const { query } = body
    if (name === '' || [...name].length > LONGEST_VIEW_NAME || name.includes('\0')) {
      const message = `must have 1 to ${LONGEST_VIEW_NAME} characters`
      throw invalidBody([{ path: 'name', message }])
    }
    if (query.length > LONGEST_VIEW_QUERY || query.includes('\0')) {
      const message = `must have at most ${LONGEST_VIEW_QUERY} characters`
      throw invalidBody([{ path: 'query', message }])
    }
    const saved = await guardDatabase(deps, (sql) => saveView(sql, owner, { name, query }))
    if (saved === null) {
      const message = `must be one of at most ${MOST_VIEWS} views: remove another one first`
      throw invalidBody([{ path: 'name', message }])
    }
    return sendObject(exchange, 200, saved)
  },
})

const VIEW_ID = pathId('view', INVOICE_ID, 'view_not_found', (text) => text)

export const deleteViewRoute = route({
  operation: 'DELETE /v1/views/:id',
  access: 'merchant',
  ids: { id: VIEW_ID },
  summary: 'Remove a view',
  description: "Removes one of the caller's views.",
  operationId: 'deleteView',
  successes: { 200: one('The id of the removed view.', object('The id.', { id: viewSchema })) },
  handle: async (deps, { exchange, ids: { id } }) => {
    const owner = ownerOf(exchange)
    const wasThere = await guardDatabase(deps, (sql) => deleteView(sql, owner, id))
    if (!wasThere) throw new AppError('view_not_found')
    return sendObject(exchange, 200, { id })
  },
})
