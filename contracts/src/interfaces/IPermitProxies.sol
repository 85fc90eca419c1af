// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title IPermitProxy
/// @notice What both x402 proxies take: Permit2's permit and, optionally, an EIP-2612 permit.
interface IPermitProxy {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct EIP2612Permit {
        uint256 value;
        uint256 deadline;
        bytes32 r;
        bytes32 s;
        uint8 v;
    }
}

/// @title IExactPermitProxy
/// @notice x402ExactPermit2Proxy: pays all that was permitted; anyone may call it.
interface IExactPermitProxy is IPermitProxy {
    struct Witness {
        address to;
        uint256 validAfter;
    }

    function settle(
        PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external;

    function settleWithPermit(
        EIP2612Permit calldata permit2612,
        PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external;
}

/// @title IUptoPermitProxy
/// @notice x402UptoPermit2Proxy: pays as much of what was permitted as the facilitator
///         decides, whom the payer has named.
interface IUptoPermitProxy is IPermitProxy {
    struct Witness {
        address to;
        address facilitator;
        uint256 validAfter;
    }

    function settle(
        PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external;

    function settleWithPermit(
        EIP2612Permit calldata permit2612,
        PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external;
}
