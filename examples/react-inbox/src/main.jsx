import { Inbox } from '@novu/react'
import { createRoot } from 'react-dom/client'

const { tidingsUrl, ...person } = await (await fetch('/me')).json()
const tabs = [
  { label: 'All', filter: {} },
  { label: 'Urgent', filter: { severity: 'high' } },
]

// Both addresses: without socketUrl the component would connect to its vendor, with the token of this session.
createRoot(document.getElementById('bell')).render(
  <Inbox {...person} backendUrl={tidingsUrl} socketUrl={tidingsUrl} tabs={tabs} />,
)
