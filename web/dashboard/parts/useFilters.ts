import { useLocation } from 'preact-iso'

/** What a list is narrowed down by: it stands in the address, as what is not empty. */
export function useFilters() {
  const { path, route } = useLocation()
  return (filters: Readonly<Record<string, string>>): void => {
    const given = Object.entries(filters).filter(([, value]) => value !== '')
    route(given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`)
  }
}
