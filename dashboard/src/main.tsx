// First: it takes what must not stand in the address out of it.
import './lib/link-token.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyTheme } from './lib/theme.ts'
import { queries, router } from './router.tsx'
import './styles.css'

// Before anything is drawn, so that nothing flashes in the other theme.
applyTheme()

const place = document.getElementById('root')
if (!place) throw new Error('index.html has no #root')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
