<?php declare(strict_types=1);

namespace Shop;

/** A row in the table of orders. A shop of yours saves it before it sends the token. */
final class Order
{
    public ?string $token = null;
    /** When the token was asked for. The policy is not older. */
    public ?\DateTimeImmutable $since = null;
    /** Unique in the table. */
    public ?string $policyNo = null;

    /** @param array<string, mixed> $purchase what initiate takes */
    public function __construct(public readonly array $purchase)
    {
    }
}
