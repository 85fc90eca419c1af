/** The peer of a page: a bare server that returns a constant text. */
import { Elysia } from 'elysia'

const text = 'x'.repeat(Number(process.env.LENGTH))
const headers = { 'content-type': 'text/html; charset=utf-8' }

new Elysia()
  .get('/page', () => new Response(text, { headers }))
  .listen({ hostname: '127.0.0.1', port: Number(process.env.PORT) })
