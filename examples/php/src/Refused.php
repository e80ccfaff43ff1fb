<?php declare(strict_types=1);

namespace Shop;

/** The service answered no. The problems are sentences for the customer. */
final class Refused extends \RuntimeException
{
    /** @param list<string> $problems */
    public function __construct(public readonly array $problems)
    {
        parent::__construct(implode(' ', $problems));
    }
}
