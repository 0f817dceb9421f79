/** Why these roles would be refused; nothing where they would not. */
export function RoleFaults({ faults }: { faults: readonly string[] }) {
  return (
    <div role="status" className="empty:hidden">
      {faults.map((fault) => (
        <p key={fault} className="text-sm text-bad">
          {fault}
        </p>
      ))}
    </div>
  )
}
