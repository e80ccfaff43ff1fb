<?php declare(strict_types=1);

namespace Shop;

/** There is no response to read. Nobody knows whether the call was carried out. */
final class Lost extends \RuntimeException
{
    /**
     * @param bool $isLate the time was over, so the call may be carried out later
     * @param int $wait the seconds that the service asks to wait
     */
    public function __construct(string $message, public readonly bool $isLate = false, public readonly int $wait = 0)
    {
        parent::__construct($message);
    }
}
