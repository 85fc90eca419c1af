/**
 * The peer of invoice creation: an endpoint on the same stack that checks a small body and inserts one
 * row, and nothing else.
 */
import { Elysia, t } from 'elysia'
import { openDatabase } from '../store/database/database.ts'

const database = openDatabase(process.env.DATABASE_URL ?? '', { name: 'remit-bench', poolSize: 10 })
await database`
  create table if not exists bench_row (
    id uuid primary key, note text not null, created_at timestamptz not null default now())`

new Elysia()
  .post(
    '/rows',
    async ({ body, set }) => {
      const id = Bun.randomUUIDv7()
      await database`insert into bench_row (id, note) values (${id}, ${body.note})`
      set.status = 201
      return { success: true, data: { id } }
    },
    { body: t.Object({ note: t.String() }) },
  )
  .listen({ hostname: '127.0.0.1', port: Number(process.env.PORT) })
