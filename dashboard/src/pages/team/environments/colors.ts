/** Told apart at a glance, on light and on dark. The first two are those of a first start. */
export const colors = [
  { value: '#2563eb', name: 'Blue' },
  { value: '#d97706', name: 'Amber' },
  { value: '#0f766e', name: 'Teal' },
  { value: '#7c3aed', name: 'Violet' },
  { value: '#16a34a', name: 'Green' },
  { value: '#db2777', name: 'Pink' },
  { value: '#dc2626', name: 'Red' },
  { value: '#64748b', name: 'Slate' },
] as const

/** The first that no other environment has. */
export function freeColor(taken: readonly string[]): string {
  const lower = taken.map((color) => color.toLowerCase())
  return (colors.find(({ value }) => !lower.includes(value)) ?? colors[0]).value
}
