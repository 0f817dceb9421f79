import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { InboxBell } from './inbox-bell.tsx'
import './inbox-bell.css'

const reply = await fetch('/inbox-options')
const options = await reply.json()
const place = document.getElementById('bell')
if (place) {
  createRoot(place).render(
    <StrictMode>
      <InboxBell {...options} />
    </StrictMode>,
  )
}
