import Skeleton from '@mui/material/Skeleton'
import { lazy, Suspense } from 'react'

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))

/** Markdown comes in a chunk of its own: most pages show none. */
export const LazyMarkdown = (props: { text: string; title?: string }) => (
  <Suspense fallback={<Skeleton height={80} variant="rounded" />}>
    <Markdown {...props} />
  </Suspense>
)
