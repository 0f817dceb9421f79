import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'
const storageKey = 'tidings-theme'
const systemDark = window.matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function readChoice(): ThemeChoice {
  const kept = localStorage.getItem(storageKey)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

function effective(): 'light' | 'dark' {
  const choice = readChoice()
  if (choice !== 'system') return choice
  return systemDark.matches ? 'dark' : 'light'
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = effective()
  for (const listener of listeners) listener()
}

systemDark.addEventListener('change', applyTheme)

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, choice)
  applyTheme()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useTheme = () => useSyncExternalStore(subscribe, effective)
export const useThemeChoice = () => useSyncExternalStore(subscribe, readChoice)
